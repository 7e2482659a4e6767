package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The filter that every list of prices has. */
public final class ChannelField {
    public static final String NAME = "channel";

    private ChannelField() {}

    /**
     * The channel that was asked for; {@link Channel#ALL} where none was.
     *
     * @throws InvalidInput {@code INVALID_ID} on {@code channel}
     */
    public static Channel parse(@Nullable String text) {
        return text == null || text.isEmpty() ? Channel.ALL : new Channel(text);
    }

    /** Value of the parameter in an address: empty for {@link Channel#ALL}. */
    public static String text(Channel channel) {
        return text(channel.value());
    }

    /** The same for a channel as it was sent. */
    public static String text(String asked) {
        return asked.equals(Channel.ALL.value()) ? "" : asked;
    }

    /** {@link Channel#ALL}, the channels that the store has, and what was asked for, even if it has not got it. */
    public static List<Choice> choices(List<Channel> channels, @Nullable String asked) {
        var selected = asked == null || asked.isEmpty() ? Channel.ALL.value() : asked;
        return Stream.of(Stream.of(Channel.ALL.value()), channels.stream().map(Channel::value), Stream.of(selected))
                .flatMap(values -> values)
                .distinct()
                .map(value -> new Choice(
                        value,
                        value.equals(Channel.ALL.value()) ? "ALL, every channel" : value,
                        value.equals(selected)))
                .toList();
    }

    /** The address of the form that changes a price. */
    static Link change(BasePrice price) {
        return Link.to("changes", "new")
                .with("store", price.store().id().value())
                .with("product", price.product().value())
                .with(NAME, text(price.channel()));
    }

    /** The address of a price's timeline. */
    static Link timeline(BasePrice price) {
        return price(price.store().id(), new PriceSubject.Product(price.product()), price.channel());
    }

    /** The address of what there is to know of a price: of a product its timeline, of an option of a combo its history. */
    public static Link price(StoreId store, PriceSubject subject, Channel channel) {
        var price =
                switch (subject) {
                    case PriceSubject.Product(var product) ->
                        Link.to("stores", store.value(), "products", product.value());
                    case PriceSubject.Swap(var combo, var option) ->
                        Link.to("prices", "history")
                                .with("store", store.value())
                                .with("combo", combo.value())
                                .with("option", option.value());
                };
        return price.with(NAME, text(channel));
    }
}
