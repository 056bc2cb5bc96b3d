import type { Attachment } from '../conversation/turn.ts'

const mega = 1_000_000
/** What vendors take of one at most differs; more than this none of them does for every model. */
const mostOf: Record<Attachment['kind'], number> = { image: 10 * mega, file: 10 * mega, text: mega / 2 }
/** The gateway takes 32 MiB a request, in which files are a third larger. */
const mostTogether = 20 * mega
const mostFiles = 20

const images = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const plurals: Record<Attachment['kind'], string> = { image: 'images', file: 'PDFs', text: 'texts' }

/** What the picker offers. */
export const acceptedTypes = [...images, 'application/pdf', 'text/*', '.md', '.json', '.csv', '.log'].join()

interface Taken {
  attachments: readonly Attachment[]
  /** One for each file that was not taken, in words for who chose it. */
  problems: readonly string[]
}

/**
 * Files as they stand beside a question. What is too large is refused before anything of it is read.
 * @param before what stands there already
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

/** Vectors are, and TypeScript is: its files end as some films do. */
const textsAfterAll = ['image/svg+xml', 'video/mp2t']

/** Kinds that are never texts; what browsers do not know (code of all kinds) is looked at. */
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
