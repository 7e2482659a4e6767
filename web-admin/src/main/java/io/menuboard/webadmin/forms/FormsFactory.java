package io.menuboard.webadmin.forms;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import org.thymeleaf.TemplateEngine;

/** Wires what forms share. */
@Factory
final class FormsFactory {

    @Singleton
    BeanCreatedEventListener<TemplateEngine> formsDialect() {
        return event -> {
            event.getBean().addDialect(new FormsDialect());
            return event.getBean();
        };
    }
}
