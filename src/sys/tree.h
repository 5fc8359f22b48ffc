/* Private to sys and its runner. */
#ifndef SYS_TREE_H
#define SYS_TREE_H

/* Removes one thing in the open folder with everything in it, as far as we may. */
void tree_remove(int folder, const char *name);
/* Removes everything in the open folder, as far as we may; takes over the descriptor. */
void tree_remove_contents(int folder);

#endif
