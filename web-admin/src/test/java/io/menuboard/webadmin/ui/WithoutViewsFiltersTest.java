package io.menuboard.webadmin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanResolutionContext;
import io.micronaut.inject.BeanConfiguration;
import io.micronaut.inject.BeanDefinitionReference;
import io.micronaut.views.ModelAndViewRenderer;
import io.micronaut.views.ViewsFilter;
import io.micronaut.views.turbo.TurboStreamFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WithoutViewsFiltersTest {

    @Test
    void takesOutTheFiltersAndLeavesTheRendering() {
        try (var context = ApplicationContext.builder()
                .beanConfigurations(new WithoutOurBeans())
                .start()) {
            assertThat(context.containsBean(ViewsFilter.class)).isFalse();
            assertThat(context.containsBean(TurboStreamFilter.class)).isFalse();
            assertThat(context.containsBean(ModelAndViewRenderer.class)).isTrue();
        }
    }

    /** Ours would want a table. */
    private record WithoutOurBeans() implements BeanConfiguration {

        @Override
        @SuppressWarnings("rawtypes") // as Micronaut declares it
        public boolean isWithin(BeanDefinitionReference reference) {
            return reference.getBeanDefinitionName().startsWith("io.menuboard.");
        }

        @Override
        public boolean isEnabled(BeanContext context, @Nullable BeanResolutionContext resolution) {
            return false;
        }

        @Override
        public String getName() {
            return "io.menuboard";
        }

        @Override
        public Package getPackage() {
            return WithoutOurBeans.class.getPackage();
        }

        @Override
        public @Nullable String getVersion() {
            return null;
        }
    }
}
