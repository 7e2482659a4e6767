package io.menuboard.tasks;

/** Priority: of two pending tasks the higher one is claimed first, and of equal ones the older. */
public enum TaskPriority {
    LOW('3'),
    NORMAL('2'),
    HIGH('1'),
    URGENT('0');

    private final char rank;

    TaskPriority(char rank) {
        this.rank = rank;
    }

    /** Part of keys: sorts the highest first. */
    public char rank() {
        return rank;
    }

    /** Part of keys that comes before every lower priority, and after this one. */
    char afterRank() {
        return (char) (rank + 1);
    }
}
