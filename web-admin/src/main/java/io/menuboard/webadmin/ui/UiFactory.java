package io.menuboard.webadmin.ui;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

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
    UploadPlaces uploadPlaces(AdminConfig config) {
        return new UploadPlaces(config.importsAtOnce());
    }

    @Singleton
    Views views(Assets assets) {
        var templates = new ClassLoaderTemplateResolver(UiFactory.class.getClassLoader());
        templates.setPrefix("views/");
        templates.setSuffix(".html");
        templates.setTemplateMode(TemplateMode.HTML);
        templates.setCharacterEncoding("UTF-8");
        var engine = new TemplateEngine();
        engine.setTemplateResolver(templates);
        return new Views(engine, assets);
    }
}
