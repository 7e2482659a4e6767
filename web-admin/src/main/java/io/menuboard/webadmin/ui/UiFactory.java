package io.menuboard.webadmin.ui;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.HttpRequest;
import io.micronaut.views.ModelAndViewRenderer;
import io.micronaut.web.router.Router;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ExecutorService;

/** Wires what all pages share. */
@Factory
final class UiFactory {

    @Singleton
    @Named(PageThreads.NAME)
    @Bean(preDestroy = "shutdown")
    ExecutorService pageThreads(AdminConfig config) {
        return new PageThreads(config.pagesAtOnce(), config.maxWait(), config.deadline());
    }

    @Singleton
    Assets assets() {
        return new Assets();
    }

    @Singleton
    Navigation navigation(BeanProvider<Router> router) {
        return new Navigation(router);
    }

    @Singleton
    Views views(
            ModelAndViewRenderer<Map<String, Object>, HttpRequest<?>> renderer, Assets assets, Navigation navigation) {
        return new Views(renderer, assets, navigation);
    }
}
