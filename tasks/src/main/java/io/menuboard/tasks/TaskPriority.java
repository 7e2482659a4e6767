package io.menuboard.tasks;

/** Which of two pending tasks is claimed first: the higher one, and of equal ones the older. */
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
}
