/^\tnegl\t/ { next }
{ print }
