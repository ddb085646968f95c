// Reads ZIP files as far as workbooks need it: stored and deflated parts, within bounds. Sizes stated in the file are
// not trusted.

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const PART = 0x04034b50;
// The length of an end record with the longest possible comment.
const TAIL = 22 + 0xffff;
const MOST_PARTS = 1000;

/** A fault of a file: the key of its text, with the values for it. */
export class FileFault extends Error {
  constructor(name, args = {}) {
    super(name);
    this.args = args;
  }
}

// Names of parts are compared without regard to case, and to whether characters are percent-encoded.
function keyOf(name) {
  const path = name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path;
  }
}

// The first bytes of a document tell its encoding, or its first line does; otherwise it is UTF-8.
function encodingOf(bytes) {
  const [one, other] = bytes;
  if ((one === 0xff && other === 0xfe) || (one === 0x3c && other === 0)) return 'utf-16le';
  if ((one === 0xfe && other === 0xff) || (one === 0 && other === 0x3c)) return 'utf-16be';
  const said =
    /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))?.[1]
    ?? 'utf-8';
  return /^utf-16/i.test(said) ? 'utf-8' : said;
}

export class ZipFile {
  #bytes;
  #view;
  #parts = new Map();
  #left;

  /** `most` is the greatest number of bytes to inflate, for all parts together. */
  constructor(bytes, most) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = most;
    this.#readDirectory();
  }

  #readDirectory() {
    let end = this.#bytes.length - 22;
    const least = Math.max(0, this.#bytes.length - TAIL);
    while (end >= least && this.#number(end) !== END) end -= 1;
    if (end < least) throw new FileFault('unreadable');
    const count = this.#short(end + 10);
    let at = this.#number(end + 16);
    if (count > MOST_PARTS) throw new FileFault('tooLarge');
    for (let index = 0; index < count; index += 1) {
      if (this.#number(at) !== ENTRY) throw new FileFault('unreadable');
      const [flags, method] = [this.#short(at + 8), this.#short(at + 10)];
      const [size, name, extra, comment] = [this.#number(at + 20), this.#short(at + 28), this.#short(at + 30),
        this.#short(at + 32)];
      const key = keyOf(new TextDecoder().decode(this.#slice(at + 46, name)));
      if (!this.#parts.has(key)) {
        this.#parts.set(key, { isLocked: (flags & 1) === 1, method, size, start: this.#number(at + 42) });
      }
      at += 46 + name + extra + comment;
    }
  }

  /** The text of a part; null if there is none of that name, in any case. */
  async text(name) {
    const part = this.#parts.get(keyOf(name));
    if (!part) return null;
    if (part.isLocked || ![0, 8].includes(part.method) || this.#number(part.start) !== PART) {
      throw new FileFault('unreadable');
    }
    const begin = part.start + 30 + this.#short(part.start + 26) + this.#short(part.start + 28);
    const packed = this.#slice(begin, part.size);
    const bytes = part.method === 0 ? this.#take(packed) : await this.#inflated(packed);
    try {
      return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    } catch {
      throw new FileFault('unreadable');
    }
  }

  async #inflated(packed) {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const chunks = [];
    let size = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(() => { throw new FileFault('unreadable'); });
        if (done) break;
        chunks.push(this.#take(value));
        size += value.length;
      }
    } finally {
      // Discards what was inflated ahead at once.
      reader.cancel().catch(() => {});
    }
    const all = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  // Stops at the limit: the rest of a bomb stays packed.
  #take(bytes) {
    this.#left -= bytes.length;
    if (this.#left < 0) throw new FileFault('tooLarge');
    return bytes;
  }

  #slice(start, length) {
    if (start + length > this.#bytes.length) throw new FileFault('unreadable');
    return this.#bytes.subarray(start, start + length);
  }

  #short(at) {
    if (at + 2 > this.#bytes.length) throw new FileFault('unreadable');
    return this.#view.getUint16(at, true);
  }

  #number(at) {
    if (at + 4 > this.#bytes.length) throw new FileFault('unreadable');
    return this.#view.getUint32(at, true);
  }
}
