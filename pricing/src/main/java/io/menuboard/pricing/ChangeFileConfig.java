package io.menuboard.pricing;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings of files of price changes under {@code menuboard.pricing.change-file.*}.
 *
 * @param maxRows most rows of one file, header not counted; one with more is refused. Default 10,000
 * @param maxBytes longest file; a longer one is refused. Default 5,000,000
 */
@ConfigurationProperties("menuboard.pricing.change-file")
record ChangeFileConfig(
        @Bindable(defaultValue = "10000") int maxRows,
        @Bindable(defaultValue = "5000000") long maxBytes) {}
