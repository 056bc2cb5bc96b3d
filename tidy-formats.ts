import { importsOf, isTest, resolvePath, type SourceFile } from './tidy-rules.ts'

/* Checks the layout of a wire format's folder (ARCHITECTURE.md, "A format's folder"). */

/** The files that each side has in every format; anything else in the folder has a name of its own. */
const files = {
  caller: ['request', 'answer', 'stream', 'usage', 'errors', 'fields'],
  vendor: ['request', 'answer', 'stream', 'usage', 'errors', 'fields'],
  'pass-through': ['request', 'answer', 'stream'],
}

/**
 * Formats that vary another one: they may import their base, and have files only where they differ. All other
 * formats are independent of each other.
 */
const variationOf: Readonly<Record<string, string>> = {
  'deepseek-chat': 'openai-chat',
  'mistral-chat': 'openai-chat',
  'mistral-fim': 'openai-chat',
  'openai-completions': 'openai-chat',
  'mistral-embeddings': 'openai-embeddings',
  'voyage-embeddings': 'openai-embeddings',
  'voyage-rerank': 'jina-rerank',
  'mistral-moderations': 'openai-moderations',
  'bedrock-cohere-embed': 'cohere-embed',
  'bedrock-messages': 'anthropic-messages',
  'vertex-messages': 'anthropic-messages',
  'vertex-mistral': 'mistral-chat',
}

const home = 'packages/dialects'
/** Folders of code that formats share. */
const common: ReadonlySet<string> = new Set([
  'answers',
  'embeddings',
  'event-stream',
  'json',
  'moderations',
  'requests',
  'rerank',
  'sse',
  'testing',
  'vendor-errors',
])
/** Files that name every format. */
const listings: ReadonlySet<string> = new Set([`${home}/index.ts`, `${home}/registry.ts`])

type Side = keyof typeof files

interface Place {
  format: string
  /** Undefined for files that both sides use. */
  side: Side | undefined
}

/** The format and side that a file belongs to; undefined if it belongs to none. */
function placeOf(path: string): Place | undefined {
  const [format, name, ...below] = path.startsWith(`${home}/`) ? path.slice(home.length + 1).split('/') : []
  if (format === undefined || name === undefined || common.has(format)) return undefined
  if (name === 'caller.ts' || name === 'vendor.ts') return { format, side: name.slice(0, -3) as Side }
  return { format, side: below.length > 0 && name in files ? (name as Side) : undefined }
}

/** Forbidden imports of a format's files or of shared code. */
export function formatViolations(file: SourceFile): string[] {
  if (!file.path.startsWith(`${home}/`) || isTest(file.path) || listings.has(file.path)) return []
  const own = placeOf(file.path)
  const violations: string[] = []
  for (const { from, line } of importsOf(file)) {
    const target = from.startsWith('.') ? placeOf(resolvePath(file.path, from)) : undefined
    if (target === undefined) continue
    const wrong = wrongImport(own, target, file.path.endsWith('/caller.ts'))
    if (wrong !== undefined) violations.push(`line ${line} imports ${from}: ${wrong}`)
  }
  return violations
}

function wrongImport(own: Place | undefined, target: Place, isCaller: boolean): string | undefined {
  if (own === undefined) return 'what formats have in common knows none of them'
  if (own.format !== target.format && variationOf[own.format] !== target.format)
    return `${own.format} is no variation of ${target.format}`
  if (target.side === undefined || target.side === own.side || own.side === 'pass-through') return undefined
  if (isCaller && target.side === 'pass-through') return undefined
  return `${own.side ?? 'what both sides speak'} may not know ${target.side}/`
}

/** Files that formats' folders lack, and files that should not be there. */
export function formatFolderViolations(paths: readonly string[]): string[] {
  const known = new Set(paths)
  const formats = new Set(paths.flatMap((path) => placeOf(path)?.format ?? []))
  const violations: string[] = []
  for (const format of formats) {
    const folder = `${home}/${format}`
    const sides = new Set<Side>()
    if (known.has(`${folder}/caller.ts`)) sides.add('caller')
    if (known.has(`${folder}/vendor.ts`)) sides.add('vendor')
    if (sides.size === 0) violations.push(`${folder} has neither caller.ts nor vendor.ts`)
    if (sides.size === 2) sides.add('pass-through')
    // An operation that answers at once has no streams on either side.
    const streams = paths.some((path) => path.startsWith(`${folder}/`) && path.endsWith('/stream.ts'))
    for (const side of sides) {
      if (variationOf[format] !== undefined) continue
      const missing = files[side].filter(
        (name) => !known.has(`${folder}/${side}/${name}.ts`) && (name !== 'stream' || streams),
      )
      violations.push(...missing.map((name) => `${folder}/${side} has no ${name}.ts`))
    }
    violations.push(
      ...strayFolders(paths, folder, sides).map((name) => `${folder}/${name} belongs to no side of it`),
    )
  }
  return violations
}

function strayFolders(paths: readonly string[], folder: string, sides: ReadonlySet<string>): string[] {
  const inside = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.split('/').slice(3))
  const names = new Set(inside.filter((segments) => segments.length > 1).map(([name]) => name!))
  return [...names].filter((name) => name !== 'testing' && !sides.has(name))
}
