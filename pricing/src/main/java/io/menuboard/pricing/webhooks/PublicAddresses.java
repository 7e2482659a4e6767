package io.menuboard.pricing.webhooks;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Addresses that belong to the public Internet: the others of the IANA registries of special-purpose addresses lead into our
 * own network, or nowhere. An IPv6 form of an IPv4 address is none, whatever it leads to; Java makes mapped ones IPv4 itself.
 */
final class PublicAddresses {
    private static final List<Block> NOT_PUBLIC_IPV4 = blocks(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4");

    /** All that is public in IPv6 is global unicast, which leaves out loopback, local, mapped, NAT64 and multicast ones. */
    private static final Block GLOBAL_UNICAST = Block.of("2000:0:0:0:0:0:0:0/3");

    private static final List<Block> NOT_PUBLIC_IPV6 = blocks(
            "2001:0:0:0:0:0:0:0/23", "2001:db8:0:0:0:0:0:0/32", "2002:0:0:0:0:0:0:0/16", "3fff:0:0:0:0:0:0:0/20");

    private PublicAddresses() {}

    static boolean has(InetAddress address) {
        var bytes = address.getAddress();
        return address instanceof Inet4Address
                ? NOT_PUBLIC_IPV4.stream().noneMatch(block -> block.has(bytes))
                : GLOBAL_UNICAST.has(bytes) && NOT_PUBLIC_IPV6.stream().noneMatch(block -> block.has(bytes));
    }

    private static List<Block> blocks(String... blocks) {
        return Stream.of(blocks).map(Block::of).toList();
    }

    /** @param bits how many of the first ones all addresses of the block have in common */
    @SuppressWarnings("ArrayRecordComponent") // is never compared
    private record Block(byte[] first, int bits) {
        static Block of(String text) {
            var slash = text.indexOf('/');
            return new Block(
                    InetAddress.ofLiteral(text.substring(0, slash)).getAddress(),
                    Integer.parseInt(text.substring(slash + 1)));
        }

        boolean has(byte[] address) {
            for (var bit = 0; bit < bits; bit++) {
                var mask = 0x80 >> (bit % Byte.SIZE);
                if ((first[bit / Byte.SIZE] & mask) != (address[bit / Byte.SIZE] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
