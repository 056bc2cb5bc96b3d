import { classes, nothing, space } from './characters.ts'

/** Only a prompt's beginning and end are read; a run of white space counts as one character. */
const headCharacters = 2_000
const tailCharacters = 1_000

/** White space is skipped up to this many times the window, and no further. */
const paddingFactor = 4

/** 1 for white space and ignored characters, by code unit: adding avoids mispredicted branches. */
const blanks = Uint8Array.from(classes, (kind) => (kind === space || kind === nothing ? 1 : 0))

/** Offsets in the text, which is read from 0 to `headEnd` and from `tailStart` to the end. */
export interface Windows {
  headEnd: number
  tailStart: number
}

export function windowsOf(text: string): Windows {
  const headEnd = headEndOf(text)
  if (headEnd === text.length) return { headEnd, tailStart: headEnd }
  return { headEnd, tailStart: Math.max(headEnd, tailStartOf(text)) }
}

function headEndOf(text: string): number {
  const limit = Math.min(text.length, headCharacters * paddingFactor)
  let counted = 0
  let index = 0
  let before = 1
  for (; index < limit && counted < headCharacters; index++) {
    const blank = blanks[text.charCodeAt(index)]!
    counted += 1 - (blank & before)
    before = blank
  }
  return index
}

function tailStartOf(text: string): number {
  const limit = Math.max(0, text.length - tailCharacters * paddingFactor)
  let counted = 0
  let index = text.length
  let behind = 1
  for (; index > limit && counted < tailCharacters; index--) {
    const blank = blanks[text.charCodeAt(index - 1)]!
    counted += 1 - (blank & behind)
    behind = blank
  }
  return index
}
