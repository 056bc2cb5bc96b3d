/** The class of each UTF-16 code unit, for the scorer. */

export const space = 0
export const letter = 1
export const digit = 2
export const mark = 3
/** Scripts without spaces between words, or with very long words (Chinese, Japanese, Korean, Thai). */
export const dense = 4
/** Ignored characters: joiners, and the dot that lower-casing may leave behind. */
export const nothing = 5

/** [first, last, class] of code units above ASCII that are not letters. */
const ranges: readonly (readonly [number, number, number])[] = [
  [0x80, 0xa0, space],
  [0xa1, 0xa9, mark],
  [0xab, 0xb1, mark],
  [0xb2, 0xb3, digit],
  [0xb4, 0xb4, mark],
  [0xb6, 0xb8, mark],
  [0xb9, 0xb9, digit],
  [0xbb, 0xbb, mark],
  [0xbc, 0xbe, digit],
  [0xbf, 0xbf, mark],
  [0xd7, 0xd7, mark],
  [0xf7, 0xf7, mark],
  [0x307, 0x307, nothing],
  [0x60c, 0x60c, mark],
  [0x61b, 0x61f, mark],
  [0x660, 0x669, digit],
  [0x66a, 0x66d, mark],
  [0x6d4, 0x6d4, mark],
  [0x6f0, 0x6f9, digit],
  [0x964, 0x965, mark],
  [0x966, 0x96f, digit],
  [0x9e6, 0x9ef, digit],
  [0xc66, 0xc6f, digit],
  [0xe01, 0xe4f, dense],
  [0xe50, 0xe59, digit],
  [0x1100, 0x11ff, dense],
  [0x2000, 0x200a, space],
  [0x200b, 0x200f, nothing],
  [0x2010, 0x2027, mark],
  [0x2028, 0x202f, space],
  [0x2030, 0x2060, mark],
  [0x2070, 0x209c, digit],
  [0x20a0, 0x20cf, mark],
  [0x2150, 0x2189, digit],
  [0x2190, 0x2bff, mark],
  [0x3000, 0x3000, space],
  [0x3001, 0x303f, mark],
  [0x3040, 0x30fa, dense],
  [0x30fb, 0x30fb, mark],
  [0x30fc, 0x4dbf, dense],
  [0x4e00, 0x9fff, dense],
  [0xac00, 0xd7ff, dense],
  [0xd800, 0xdfff, mark],
  [0xf900, 0xfaff, dense],
  [0xfe00, 0xfe0f, nothing],
  [0xfeff, 0xfeff, nothing],
  [0xff00, 0xff0f, mark],
  [0xff10, 0xff19, digit],
  [0xff1a, 0xff20, mark],
  [0xff3b, 0xff40, mark],
  [0xff5b, 0xff65, mark],
  [0xff66, 0xffdc, dense],
]

/** The class of each code unit; 64 KB, built once. */
export const classes = new Uint8Array(0x10000).fill(letter)

for (let code = 0; code < 0x80; code++) {
  const character = String.fromCharCode(code)
  if (code <= 0x20 || code === 0x7f) classes[code] = space
  else if (/\d/.test(character)) classes[code] = digit
  else if (!/[a-z]/i.test(character)) classes[code] = mark
}
for (const [first, last, kind] of ranges) classes.fill(kind, first, last + 1)

/** Maps characters that upper-casing and lower-casing confuse to one, so that case changes nothing. */
export function foldCase(code: number): number {
  if (code === 0xb5) return 0x3bc
  if (code === 0x131) return 0x69
  if (code === 0x3c2) return 0x3c3
  return code
}
