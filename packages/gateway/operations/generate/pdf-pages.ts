import { inflateSync } from 'node:zlib'

/** Objects may stand packed in streams: so many of them are looked into, and so much of them. */
const mostStreams = 64
const mostUnpackedBytes = 8 * 1024 * 1024

const page = /\/Type\s*\/Page(?![A-Za-z])/g
const count = /\/Count\s+(\d{1,6})/g

/**
 * How many pages a PDF has: page by page, or as it says itself, whichever is more. Undefined for what is no
 * PDF; 0 where its pages cannot be seen, as of one that is encrypted.
 * @param data base64
 */
export function pdfPages(data: string): number | undefined {
  if (!Buffer.from(data.slice(0, 1_400), 'base64').includes('%PDF-')) return undefined
  const bytes = Buffer.from(data, 'base64')
  let pages = pagesIn(bytes)
  let unpacked = 0
  let at = bytes.indexOf('/ObjStm')
  for (let streams = 0; at !== -1 && streams < mostStreams && unpacked < mostUnpackedBytes; streams++) {
    const objects = unpackStream(bytes, at, mostUnpackedBytes - unpacked)
    if (objects !== undefined) {
      unpacked += objects.length
      pages = addPages(pages, pagesIn(objects))
    }
    at = bytes.indexOf('/ObjStm', at + 1)
  }
  return Math.max(pages.seen, pages.said)
}

interface Pages {
  seen: number
  said: number
}

function addPages(one: Pages, other: Pages): Pages {
  return { seen: one.seen + other.seen, said: Math.max(one.said, other.said) }
}

function pagesIn(bytes: Buffer): Pages {
  if (!bytes.includes('/Page') && !bytes.includes('/Count')) return { seen: 0, said: 0 }
  const text = bytes.toString('latin1')
  let said = 0
  for (const [, number] of text.matchAll(count)) said = Math.max(said, Number(number))
  return { seen: text.match(page)?.length ?? 0, said }
}

/** The stream whose head holds this place; undefined where it is packed in another way, or broken. */
function unpackStream(bytes: Buffer, at: number, mostBytes: number): Buffer | undefined {
  const head = bytes.indexOf('stream', at)
  if (head === -1) return undefined
  const start = head + 'stream'.length + (bytes[head + 'stream'.length] === 0x0d ? 2 : 1)
  const end = bytes.indexOf('endstream', start)
  try {
    return inflateSync(bytes.subarray(start, end === -1 ? undefined : end), { maxOutputLength: mostBytes })
  } catch {
    // It is packed otherwise, or larger than what is looked into: its pages are not seen.
    return undefined
  }
}
