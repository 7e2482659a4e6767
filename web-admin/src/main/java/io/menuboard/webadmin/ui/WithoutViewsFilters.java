package io.menuboard.webadmin.ui;

import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.ApplicationContextConfigurer;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanResolutionContext;
import io.micronaut.context.annotation.ContextConfigurer;
import io.micronaut.inject.BeanConfiguration;
import io.micronaut.inject.BeanDefinitionReference;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes out the two filters with which Micronaut Views looks at every response for a model to render. {@link Views} has
 * rendered ours before, and a filter that matches everything is paid for by every GraphQL request too (a fifth of the
 * CPU time of {@code {__typename}} was theirs).
 */
@ContextConfigurer
public final class WithoutViewsFilters implements ApplicationContextConfigurer {
    private static final Set<String> FILTERS = Set.of(
            "io.micronaut.views.$ViewsFilter$Definition", "io.micronaut.views.turbo.$TurboStreamFilter$Definition");

    @Override
    public void configure(ApplicationContextBuilder builder) {
        builder.beanConfigurations(new Disabled());
    }

    private record Disabled() implements BeanConfiguration {

        @Override
        @SuppressWarnings("rawtypes") // as Micronaut declares it
        public boolean isWithin(BeanDefinitionReference reference) {
            return FILTERS.contains(reference.getBeanDefinitionName());
        }

        @Override
        public boolean isEnabled(BeanContext context, @Nullable BeanResolutionContext resolution) {
            return false;
        }

        @Override
        public String getName() {
            return "io.micronaut.views.filters";
        }

        @Override
        public Package getPackage() {
            return Disabled.class.getPackage();
        }

        @Override
        public @Nullable String getVersion() {
            return null;
        }
    }
}
