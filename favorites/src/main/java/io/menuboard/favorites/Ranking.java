package io.menuboard.favorites;

import io.menuboard.kernel.Page;
import java.time.Instant;

/**
 * A page of a ranking.
 *
 * @param span which marks count
 * @param asOf the time for which the first thousand places are true: marks made or taken back until then are counted, later
 *     ones perhaps
 */
public record Ranking(Span span, Instant asOf, Page<RankedRestaurant> page) {}
