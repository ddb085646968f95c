internal import Glibc

/// Whether AddressSanitizer or ThreadSanitizer watches this run, and with it the programs that were built for it.
public enum Sanitizer {
    /// It does. Either maps many terabytes of addresses for its own notes.
    public static let isPresent = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
