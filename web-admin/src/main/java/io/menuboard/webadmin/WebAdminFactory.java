package io.menuboard.webadmin;

import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** Wires the pages. */
@Factory
final class WebAdminFactory {

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
    @Bean(preDestroy = "close")
    ImportRunner importRunner(Imports imports, ImportTasks tasks) {
        return new ImportRunner(imports, tasks);
    }

    @Singleton
    UploadPlaces uploadPlaces(AdminConfig config) {
        return new UploadPlaces(config.importsAtOnce());
    }

    @Singleton
    Views views(Assets assets) {
        var templates = new ClassLoaderTemplateResolver(WebAdminFactory.class.getClassLoader());
        templates.setPrefix("views/");
        templates.setSuffix(".html");
        templates.setTemplateMode(TemplateMode.HTML);
        templates.setCharacterEncoding("UTF-8");
        var engine = new TemplateEngine();
        engine.setTemplateResolver(templates);
        return new Views(engine, assets);
    }
}
