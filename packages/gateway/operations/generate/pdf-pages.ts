import { inflateSync } from 'node:zlib'

/** Objects may be in compressed streams: how many of them to inspect, and how much of them. */
const mostStreams = 64
const mostUnpackedBytes = 8 * 1024 * 1024

const page = /\/Type\s*\/Page(?![A-Za-z])/g
const count = /\/Count\s+(\d{1,6})/g

/**
 * The number of pages of a PDF: counted, or as the PDF itself says, whichever is more. Undefined if it is not
 * a PDF; 0 if its pages cannot be found, for example because it is encrypted.
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
  return Math.max(pages.seen, pages.declared)
}

interface Pages {
  seen: number
  declared: number
}

function addPages(one: Pages, other: Pages): Pages {
  return { seen: one.seen + other.seen, declared: Math.max(one.declared, other.declared) }
}

function pagesIn(bytes: Buffer): Pages {
  if (!bytes.includes('/Page') && !bytes.includes('/Count')) return { seen: 0, declared: 0 }
  const text = bytes.toString('latin1')
  let declared = 0
  for (const [, number] of text.matchAll(count)) declared = Math.max(declared, Number(number))
  return { seen: text.match(page)?.length ?? 0, declared }
}

/** Decompresses the stream whose header contains this position; undefined if that fails. */
function unpackStream(bytes: Buffer, at: number, mostBytes: number): Buffer | undefined {
  const head = bytes.indexOf('stream', at)
  if (head === -1) return undefined
  const start = head + 'stream'.length + (bytes[head + 'stream'.length] === 0x0d ? 2 : 1)
  const end = bytes.indexOf('endstream', start)
  try {
    return inflateSync(bytes.subarray(start, end === -1 ? undefined : end), { maxOutputLength: mostBytes })
  } catch {
    // It has another encoding, or is larger than the limit: its pages are not counted.
    return undefined
  }
}
