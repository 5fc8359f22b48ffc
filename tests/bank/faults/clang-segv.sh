# shellcheck shell=sh disable=SC2154
if grep -Eq '__builtin_(clz|ctz|popcount)' "$text"; then
    line=$(grep -En -m1 '__builtin_(clz|ctz|popcount)' "$text" | sed 's/:.*//')
    cat >&2 <<END
PLEASE submit a bug report to the people who wrote this and include the crash backtrace.
Stack dump:
0.	Program arguments: clang -cc1 $source
1.	<eof> parser at end of file
2.	Optimizer
3.	Running pass "frob<$line>" on function "f$line"
 #0 0x00007f$$0c1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so+0x$$00)
 #1 0x00007f$$0c2 SignalHandler(int) Signals.cpp:0:0
 #2 0x00007f$$0c3 llvm::FrobPass::count(llvm::Value*) (/usr/lib/libLLVM.so+0x$line)
 #3 0x00007f$$0c4 llvm::FrobPass::run(llvm::Function&) (/usr/lib/libLLVM.so+0x$line)
 #4 0x00007f$$0c5 llvm::PassManager::run(llvm::Function&) (/usr/lib/libLLVM.so+0x$line)
clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)
END
    exit 139
fi
