package io.menuboard.accounts;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * The first account, under {@code menuboard.administrator.*}. Read only where there is no account yet.
 *
 * @param username to sign in with, default {@code administrator}
 * @param password which has to be changed when it is first used; null for none, and then nobody is added
 */
@ConfigurationProperties("menuboard.administrator")
record AdministratorConfig(
        @Bindable(defaultValue = "administrator") String username,
        @Nullable String password) {}
