package io.menuboard.webadmin.forms;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import java.util.LinkedHashMap;
import java.util.Set;
import org.thymeleaf.context.ITemplateContext;
import org.thymeleaf.dialect.AbstractProcessorDialect;
import org.thymeleaf.model.AttributeValueQuotes;
import org.thymeleaf.model.IProcessableElementTag;
import org.thymeleaf.processor.IProcessor;
import org.thymeleaf.processor.element.AbstractElementTagProcessor;
import org.thymeleaf.processor.element.IElementTagStructureHandler;
import org.thymeleaf.standard.StandardDialect;
import org.thymeleaf.templatemode.TemplateMode;

/**
 * Gives every form of every template that is sent by {@code POST} the token that {@link FormsFilter} asks for: no template has to,
 * and none can forget it. Forms with files have it in their address instead of a field.
 */
final class FormsDialect extends AbstractProcessorDialect {
    /** Behind everything that makes the attributes of a form. */
    private static final int PRECEDENCE = StandardDialect.PROCESSOR_PRECEDENCE + 1;

    FormsDialect() {
        super("Forms", null, PRECEDENCE);
    }

    @Override
    public Set<IProcessor> getProcessors(String dialectPrefix) {
        return Set.of(new TokenProcessor());
    }

    private static final class TokenProcessor extends AbstractElementTagProcessor {
        private TokenProcessor() {
            super(TemplateMode.HTML, null, "form", false, null, false, PRECEDENCE);
        }

        @Override
        protected void doProcess(
                ITemplateContext context, IProcessableElementTag form, IElementTagStructureHandler structure) {
            if (!"post".equalsIgnoreCase(form.getAttributeValue("method"))) {
                return;
            }
            var token = FormTokens.token(request());
            if ("multipart/form-data".equalsIgnoreCase(form.getAttributeValue("enctype"))) {
                var action = form.getAttributeValue("action");
                structure.setAttribute(
                        "action", action + (action.contains("?") ? "&amp;" : "?") + FormTokens.FIELD + "=" + token);
                return;
            }
            var attributes = new LinkedHashMap<String, String>();
            attributes.put("type", "hidden");
            attributes.put("name", FormTokens.FIELD);
            attributes.put("value", token);
            var models = context.getModelFactory();
            structure.insertImmediatelyAfter(
                    models.createModel(models.createStandaloneElementTag(
                            "input", attributes, AttributeValueQuotes.DOUBLE, false, false)),
                    false);
        }

        private static HttpRequest<?> request() {
            return ServerRequestContext.currentRequest()
                    .orElseThrow(() -> new IllegalStateException("a form is shown to nobody"));
        }
    }
}
