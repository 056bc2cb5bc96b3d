import { stripVTControlCharacters } from 'node:util'

/** Characters that take two columns: East Asian wide ones (Unicode Annex 11) and emoji. */
const wideRanges = [
  '\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4cf',
  '\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}',
]
const wide = new RegExp(`[${wideRanges.join('')}]|\\p{Emoji_Presentation}`, 'u')
const controls = /\p{Cc}|\p{Cf}(?<!\u200d)/gu

let segmenter: Intl.Segmenter | undefined

/** What people count as characters. The segmenter is created late: it takes a fifth of a start. */
function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The columns that a text takes on a terminal, without colour codes. */
export function textWidth(text: string): number {
  const bare = stripVTControlCharacters(text)
  // Nearly every text is ASCII.
  if (/^[\x20-\x7e]*$/.test(bare)) return bare.length
  let width = 0
  for (const grapheme of graphemes(bare)) width += wide.test(grapheme) ? 2 : 1
  return width
}

/** The beginning of a text (without colours) that fits, with `…` if something is left out. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  for (const grapheme of graphemes(text)) {
    if (textWidth(kept + grapheme) > width - 1) break
    kept += grapheme
  }
  return `${kept}…`
}

/** Pads a text with spaces. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(width - textWidth(text), 0))
  return align === 'left' ? text + spaces : spaces + text
}

/** A text from elsewhere on one line, which cannot move the cursor or imitate other output. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(controls, '')
}

/** A text from elsewhere that may have several lines, but cannot control the terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '')
}

/** Wraps a text into lines of at most this width, between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
