package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The operations guide has every setting that there is, under its variable and with its default. */
@AnalyzeClasses(
        packages = "io.menuboard",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.OnlyProduction.class})
class OperationsGuideTest {
    private static final Pattern ROW = Pattern.compile("\\| (`[A-Z].*) \\| (`.*`) \\| .* \\| (.*) \\|");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    @ArchTest
    static void namesEverySettingWithItsDefault(JavaClasses classes) throws IOException {
        var documented = documented();

        var settings = settings(classes);

        assertThat(settings).hasSizeGreaterThan(60);
        assertThat(documented).containsAllEntriesOf(settings);
    }

    /** Property to variable and default, as configuration records have them. */
    private static Map<String, String> settings(JavaClasses classes) {
        var settings = new TreeMap<String, String>();
        var types = classes.stream()
                .filter(type -> type.isAnnotatedWith(ConfigurationProperties.class))
                .map(JavaClass::reflect)
                .toList();
        for (var type : types) {
            var prefix = type.getAnnotation(ConfigurationProperties.class).value();
            for (var parameter : canonical(type).getParameters()) {
                var property = prefix + "." + NameUtils.hyphenate(parameter.getName());
                var bindable = parameter.getAnnotation(Bindable.class);
                settings.put(property, setting(property, bindable == null ? "" : bindable.defaultValue()));
            }
        }
        return settings;
    }

    private static Constructor<?> canonical(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors())
                .filter(constructor -> constructor.getParameterCount() == type.getRecordComponents().length)
                .findFirst()
                .orElseThrow();
    }

    private static String setting(String property, String byDefault) {
        return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_') + " = " + byDefault;
    }

    /** The same as the guide has it. */
    private static Map<String, String> documented() throws IOException {
        var documented = new TreeMap<String, String>();
        for (var line : Files.readAllLines(ProjectFiles.OPERATIONS_GUIDE)) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                var variables = quoted(row.group(1));
                var properties = quoted(row.group(2));
                var defaults = row.group(3).replace("`", "").split(", ", -1);
                var prefix = "";
                for (var i = 0; i < properties.length; i++) {
                    var property = properties[i].startsWith(".") ? prefix + properties[i] : properties[i];
                    prefix = property.substring(0, property.lastIndexOf('.'));
                    var byDefault = defaults.length == properties.length ? defaults[i] : defaults[0];
                    documented.put(
                            property,
                            Objects.requireNonNull(variables[i]) + " = "
                                    + (byDefault.matches("none.*|made.*") ? "" : byDefault));
                }
            }
        }
        return documented;
    }

    private static String[] quoted(String cell) {
        return QUOTED.matcher(cell).results().map(found -> found.group(1)).toArray(String[]::new);
    }
}
