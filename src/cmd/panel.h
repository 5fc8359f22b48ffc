/* The live status of a campaign: a few lines at the foot of a terminal, drawn over and over; where
 * there is no terminal, a line now and then. */
#ifndef CMD_PANEL_H
#define CMD_PANEL_H

#include "hunt/hunt.h"

struct panel {
    bool terminal, quiet;
    unsigned lines; /* that stand on the terminal now */
    double last;
};

void panel_start(struct panel *p, bool quiet);
void panel_show(struct panel *p, const struct hunt_status *status);
/* A line that stays, above the panel. */
void panel_say(struct panel *p, const char *line);
/* Leaves the last state standing and the cursor below it. */
void panel_end(struct panel *p);

/* At most `rows` lines of at most `columns` characters. */
void panel_render(const struct hunt_status *status, unsigned columns, unsigned rows,
                  struct text *out);
/* The same in one line. */
void panel_render_line(const struct hunt_status *status, struct text *out);

#endif
