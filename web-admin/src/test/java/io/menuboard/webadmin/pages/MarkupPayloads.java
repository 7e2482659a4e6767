package io.menuboard.webadmin.pages;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts that run a script, or leave an element or attribute called {@value #MARK}, wherever a page writes one as it is: each way out of
 * a context of HTML with each way to run a script (after the OWASP cheat sheets on filter evasion and on prevention by context).
 */
public final class MarkupPayloads {
    /** What nothing but a payload has: an attribute of every element that one brings along. */
    public static final String MARK = "x-payload";

    /** Of a text, a quoted or bare attribute, a comment, and elements whose content is no markup. */
    private static final List<String> WAYS_OUT = List.of(
            "",
            "\">",
            "'>",
            "`>",
            " ",
            "\" ",
            "' ",
            "--><",
            "]]>",
            "*/",
            "\\\">",
            "</title>",
            "</textarea>",
            "</script>",
            "</style>",
            "</option></select>",
            "</td></tr></table>",
            "</noscript>",
            "</template>",
            "&quot;>",
            "\u2028\">",
            "\uFF02\uFF1E",
            "</svg>",
            "<!--");

    private static final List<String> SCRIPTS = List.of(
            "<script x-payload>hit()</script>",
            "<ScRiPt/x-payload>hit()</sCrIpT >",
            "<img x-payload src=x onerror=hit()>",
            "<img/x-payload/src=x/onerror=hit()>",
            "<svg x-payload onload=hit()>",
            "<svg><script x-payload>hit()</script></svg>",
            "<body x-payload onload=hit()>",
            "<input x-payload autofocus onfocus=hit()>",
            "<details x-payload open ontoggle=hit()>",
            "<iframe x-payload srcdoc='<script>top.hit()</script>'>",
            "<iframe x-payload src=javascript:top.hit()>",
            "<a x-payload href=javascript:hit()>click</a>",
            "<form x-payload action=javascript:hit()><button>",
            "<object x-payload data=javascript:hit()>",
            "<meta x-payload http-equiv=refresh content=0;url=javascript:hit()>",
            "<base x-payload href=//evil.example/>",
            "<link x-payload rel=stylesheet href=//evil.example/x.css>",
            "<style x-payload>*{background:url(//evil.example/)}</style>",
            "<div x-payload hx-on:load=hit() hx-get=/ hx-trigger=load>",
            "<math><mtext></form><form><mglyph><style></math><img x-payload src onerror=hit()>",
            "x-payload onmouseover=hit() autofocus onfocus=hit() ",
            "javascript:hit()//x-payload",
            "${hit()}[[${hit()}]]{{hit()}}<%= hit() %>x-payload",
            "');hit();//x-payload");

    /** More than five hundred, each another one; some are longer than an id may be. */
    public static final List<String> ALL = WAYS_OUT.stream()
            .flatMap(out -> SCRIPTS.stream().map(script -> out + script))
            .map(String::strip)
            .distinct()
            .toList();

    /** Those that an id or a name may be. */
    public static final List<String> SHORT = ALL.stream()
            .filter(payload -> payload.length() <= 64 && payload.indexOf('#') < 0 && payload.indexOf('\u2028') < 0)
            .toList();

    private MarkupPayloads() {}

    /** All of them in as few texts of at most that length as one after the other fits, with a space between. */
    public static List<String> joined(int length) {
        var texts = new ArrayList<String>();
        for (var payload : ALL) {
            var before = texts.isEmpty() ? "" : texts.getLast();
            if (!before.isEmpty() && before.length() + 1 + payload.length() <= length) {
                texts.set(texts.size() - 1, before + " " + payload);
            } else {
                texts.add(payload);
            }
        }
        return List.copyOf(texts);
    }
}
