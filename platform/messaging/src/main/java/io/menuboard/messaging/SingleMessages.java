package io.menuboard.messaging;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Handles the messages of a batch one after the other. */
record SingleMessages(MessageHandler handler) implements BatchHandler<MessageHandler.Work> {

    @Override
    public MessageHandler.Work read(String body) {
        return handler.read(body);
    }

    @Override
    public Map<MessageHandler.Work, NotDone> handle(List<MessageHandler.Work> messages) {
        var notDone = new IdentityHashMap<MessageHandler.Work, NotDone>();
        for (var work : messages) {
            try {
                work.perform().ifPresent(until -> notDone.put(work, new NotDone.Postponed(until)));
            } catch (RuntimeException e) {
                // The edge of handlers: whatever it was, another attempt may fare better.
                notDone.put(work, new NotDone.Failed(e));
            }
        }
        return notDone;
    }
}
