import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { respondError } from '../respond-error.ts'
import { chooseEncoding } from './accepted-encoding.ts'
import { BuiltFiles, type BuiltFile } from './built-files.ts'
import { contentSecurityPolicy, securityHeaders } from './content-security-policy.ts'
import { missingPage, missingPagePolicy, retrySeconds } from './missing-page.ts'
import { unknownPath } from '../unknown-path.ts'

export interface DashboardParts {
  /** The directory of the build, which may appear later, or never. */
  directory: string
  /** First segments of paths that are not the dashboard's, such as `/api` and `/docs`. */
  otherPaths: ReadonlySet<string>
  /** The origins of an external identity provider. If it rejects, they are left out. */
  connectOrigins: () => Promise<readonly string[]>
}

const filesPath = '/assets/'
/** Their names contain a hash of their content. */
const forEver = 'public, max-age=31536000, immutable'

/** The dashboard's pages and files, on the gateway's own origin. */
export class Dashboard {
  readonly #files: BuiltFiles
  readonly #parts: DashboardParts

  constructor(parts: DashboardParts) {
    this.#parts = parts
    this.#files = new BuiltFiles(parts.directory)
  }

  /** True if the request was for the dashboard, which then responds. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const [path = '/'] = (request.url ?? '/').split('?', 1)
    const isFile = path.startsWith(filesPath)
    if (!isFile && !this.#isPage(path, request)) return false
    const answering = isFile ? this.#sendFile(path, request, response) : this.#sendPage(request, response)
    answering.catch(() => response.destroy())
    return true
  }

  /** Whether to send the page: for any otherwise unused path, if a browser requests a page. */
  #isPage(path: string, { headers }: IncomingMessage): boolean {
    if (path === '/') return true
    const first = `/${path.split('/', 2)[1] ?? ''}`
    return !this.#parts.otherPaths.has(first) && (headers.accept ?? '').includes('text/html')
  }

  async #sendFile(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const build = this.#files.known ?? (await this.#files.current())
    const file = build?.files.get(path.slice(1))
    if (file === undefined) return respondError(response, unknownPath())
    const common = {
      ...securityHeaders,
      // Weak, since the same file is sent in different encodings (RFC 9110, section 8.8.3).
      etag: `W/${file.etag}`,
      'cache-control': forEver,
      vary: 'accept-encoding',
    }
    if (request.headers['if-none-match']?.includes(file.etag)) {
      response.writeHead(304, common).end()
      return
    }
    sendFile(file, common, request, response)
  }

  /** Never cached: each response has its own nonce. */
  async #sendPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const build = await this.#files.current()
    if (build === undefined) {
      const retry = { 'retry-after': String(retrySeconds), 'content-security-policy': missingPagePolicy }
      return sendHtml(503, missingPage, retry, request, response)
    }
    const nonce = randomBytes(16).toString('base64')
    const origins = await this.#parts.connectOrigins().catch((): string[] => [])
    const html = build.indexHtml.replaceAll('__CSP_NONCE__', nonce)
    const policy = { 'content-security-policy': contentSecurityPolicy(nonce, origins) }
    sendHtml(200, html, policy, request, response)
  }
}

function sendFile(
  file: BuiltFile,
  common: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const encoding = chooseEncoding(request.headers['accept-encoding'], file.packed)
  const body = encoding === undefined ? file.body : file.packed[encoding]!
  response.writeHead(200, {
    ...common,
    'content-type': file.type,
    'content-length': body.length,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function sendHtml(
  status: number,
  html: string,
  headers: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}
