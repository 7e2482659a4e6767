// Fails for connections of types that are neither Query nor nodes: their fields cannot be found again for another page.
import { connections, isRefetchable } from "./schema.js";

const not = connections.filter((one) => !isRefetchable(one)).map(({ type, field }) => `${type.name}.${field.name}`);
console.log(`relay: ${connections.length} connections, not refetchable: ${not.join(", ") || "none"}`);
process.exitCode = not.length > 0 ? 1 : 0;
