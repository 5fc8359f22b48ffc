{ sub(/^\tcall\t__udivti3/, "\tcall\t__udivti4"); print }
