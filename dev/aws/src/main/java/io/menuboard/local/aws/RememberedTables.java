package io.menuboard.local.aws;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.TableInfo;

/**
 * The tables of DynamoDB Local, whose descriptions are remembered. It parses that of a table from JSON several times for each
 * item that it reads or writes, which took a tenth of the CPU time of tests, and a turn of its one thread each time.
 */
final class RememberedTables implements InvocationHandler {
    private final LocalDBAccess access;
    private final Map<Object, TableInfo> infos = new HashMap<>();
    private long changes;

    private RememberedTables(LocalDBAccess access) {
        this.access = access;
    }

    static LocalDBAccess of(LocalDBAccess access) {
        return (LocalDBAccess) Proxy.newProxyInstance(
                LocalDBAccess.class.getClassLoader(),
                new Class<?>[] {LocalDBAccess.class},
                new RememberedTables(access));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "getTableInfo" -> info(method, arguments);
            case "createTable",
                    "updateTable",
                    "deleteTable",
                    "createGSIColumns",
                    "backfillGSI",
                    "deleteGSI",
                    "dilateEventTimes" -> {
                try {
                    yield call(method, arguments);
                } finally {
                    forget();
                }
            }
            default -> call(method, arguments);
        };
    }

    /** Reads it while nothing is locked here: who writes a transaction keeps readers waiting, and asks for it too. */
    private @Nullable Object info(Method method, Object[] arguments) throws Throwable {
        long seen;
        synchronized (this) {
            var known = infos.get(arguments[0]);
            if (known != null) {
                return known;
            }
            seen = changes;
        }
        var info = (TableInfo) call(method, arguments);
        synchronized (this) {
            if (info != null && changes == seen) {
                infos.put(arguments[0], info);
            }
        }
        return info;
    }

    private synchronized void forget() {
        changes++;
        infos.clear();
    }

    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(access, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
