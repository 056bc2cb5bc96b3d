import type { Attachment } from '../conversation/turn.ts'

const mega = 1_000_000
/** The most bytes per file. Vendors' own limits differ; none accepts more for all its models. */
const mostOf: Record<Attachment['kind'], number> = { image: 10 * mega, file: 10 * mega, text: mega / 2 }
/** The gateway accepts 32 MiB per request, and base64 makes files a third larger. */
const mostTogether = 20 * mega
const mostFiles = 20

const images = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const plurals: Record<Attachment['kind'], string> = { image: 'images', file: 'PDFs', text: 'texts' }

/** The types that the file picker offers. */
export const acceptedTypes = [...images, 'application/pdf', 'text/*', '.md', '.json', '.csv', '.log'].join()

interface Taken {
  attachments: readonly Attachment[]
  /** One message for the user per file that was not accepted. */
  problems: readonly string[]
}

/**
 * Adds files to a question. A file that is too large is refused before it is read.
 * @param before the files that are attached already
 */
export async function withFiles(before: readonly Attachment[], files: readonly File[]): Promise<Taken> {
  const attachments = [...before]
  const problems: string[] = []
  for (const file of files) {
    const kind = kindOf(file)
    const problem = problemOf(file, kind, attachments)
    const read = problem ?? (await readAs(kind, file))
    if (typeof read === 'string') problems.push(`${shortName(file.name)}: ${read}`)
    else attachments.push(read)
  }
  return { attachments, problems }
}

function kindOf({ type }: File): Attachment['kind'] {
  if (images.includes(type)) return 'image'
  return type === 'application/pdf' ? 'file' : 'text'
}

function problemOf(file: File, kind: Attachment['kind'], others: readonly Attachment[]): string | undefined {
  if (file.size === 0) return 'it is empty.'
  if (others.length >= mostFiles) return `at most ${mostFiles} files per question.`
  if (isBinary(file.type)) return 'expected an image (PNG, JPEG, WebP or GIF), a PDF, or a text.'
  if (file.size > mostOf[kind])
    return `it has ${megabytes(file.size)}. The limit for ${plurals[kind]} is ${megabytes(mostOf[kind])}.`
  const together = others.reduce((sum, { bytes }) => sum + bytes, file.size)
  return together > mostTogether
    ? `the files would have ${megabytes(together)} together. The limit is ${megabytes(mostTogether)}.`
    : undefined
}

/** These are texts: SVG images, and TypeScript files, whose extension is also that of a video format. */
const textsAfterAll = ['image/svg+xml', 'video/mp2t']

/** Types that are never text. Files whose type the browser does not know, such as code, are inspected. */
function isBinary(type: string): boolean {
  if (textsAfterAll.includes(type)) return false
  return /^(?:image|audio|video|font)\//.test(type) && !images.includes(type)
}

async function readAs(kind: Attachment['kind'], file: File): Promise<Attachment | string> {
  const { name, type, size: bytes } = file
  try {
    if (kind !== 'text') return { kind, name, mimeType: type, bytes, data: await dataUrlOf(file) }
    const data = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (data.includes('\0')) return notText
    return { kind, name, mimeType: type === '' ? 'text/plain' : type, bytes, data }
  } catch (error) {
    return error instanceof TypeError ? notText : 'it cannot be read.'
  }
}

const notText = 'expected an image (PNG, JPEG, WebP or GIF), a PDF, or a text in UTF-8.'

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('it cannot be read')))
    reader.readAsDataURL(file)
  })
}

/** `1.2 MB` */
export function megabytes(bytes: number): string {
  if (bytes < mega / 10) return `${Math.max(1, Math.round(bytes / 1_000))} kB`
  const amount = (bytes / mega).toFixed(bytes < 10 * mega ? 1 : 0)
  return `${amount.replace(/\.0$/, '')} MB`
}

const nameCharacters = 60

function shortName(name: string): string {
  return name.length > nameCharacters ? `${name.slice(0, nameCharacters)}…` : name
}
