import type { FileFormat, RowFormat } from '../files/stream.ts'
import type { ZipEntry } from './zip.ts'

/** The size of the pieces that are yielded. */
const chunkCharacters = 256 * 1024
/** A spreadsheet holds a million rows. */
const rowsOfPart = 1_000_000
/** In characters of text; a file in a ZIP must stay below 4 GB. */
const charactersOfPart = 512 * 1024 * 1024

/**
 * Splits rows into files of limited size: `requests-1.csv`, `requests-2.csv`, … There is always at least one.
 * @param ending the extension of their names
 */
export async function* rowEntries<Row>(
  name: string,
  source: AsyncIterable<Row>,
  lines: RowFormat<Row>,
  ending: FileFormat = 'csv',
): AsyncGenerator<ZipEntry> {
  const rows = source[Symbol.asyncIterator]()
  try {
    let next = await rows.next()
    const partOf = async function* (): AsyncGenerator<Buffer> {
      let text = lines.header
      let characters = 0
      for (let count = 0; next.done !== true; next = await rows.next(), count++) {
        if (count >= rowsOfPart || characters >= charactersOfPart) break
        text += lines.line(next.value)
        if (text.length < chunkCharacters) continue
        characters += text.length
        yield Buffer.from(text)
        text = ''
      }
      if (text !== '') yield Buffer.from(text)
    }
    for (let part = 1; part === 1 || next.done !== true; part++)
      yield { name: `${name}-${part}.${ending}`, content: partOf() }
  } finally {
    await rows.return?.()
  }
}

/** A file from a complete text. */
export function textEntry(name: string, text: string): ZipEntry {
  return {
    name,
    content: (async function* () {
      yield Buffer.from(text)
    })(),
  }
}

export function jsonEntry(name: string, value: unknown): ZipEntry {
  return textEntry(name, `${JSON.stringify(value, null, 2)}\n`)
}
