/** A page as a user without JavaScript sees it. */
export interface SeenPage {
  url: string
  status: number
  headers: Headers
  text: string
  title: string
  forms: SeenForm[]
}

export interface SeenForm {
  action: string
  /** The hidden fields of the form. */
  hidden: Record<string, string>
}

const maxRedirects = 10

/** A request for `fetch`. */
interface Sent {
  method: string
  body?: string
  headers?: Record<string, string>
}

/** A browser's part in a sign-in: keeps cookies, follows redirects within one origin, and submits forms. */
export class PageClient {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  readonly #headers: Record<string, string>

  /** @param headers sent with all requests */
  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers
  }

  /** Another browser with the current cookies of this one. */
  copied(): PageClient {
    const copy = new PageClient(this.#headers)
    for (const [name, cookie] of this.#cookies) copy.#cookies.set(name, cookie)
    return copy
  }

  /** The cookies that it would send to this path. */
  cookiesFor(path: string): string {
    return this.#cookieHeader(path)
  }

  get(url: string): Promise<SeenPage> {
    return this.#visit(url, { method: 'GET' })
  }

  /** Submits the form whose address ends like this, with its hidden fields. */
  submit(page: SeenPage, action: string, fields: Record<string, string> = {}, form = 0): Promise<SeenPage> {
    const chosen = page.forms.filter((one) => one.action.endsWith(action))[form]
    if (chosen === undefined) throw new Error(`no form of "${page.title}" leads to ${action}: ${page.text}`)
    return this.post(new URL(chosen.action, page.url).href, { ...chosen.hidden, ...fields })
  }

  post(
    url: string,
    fields: Record<string, string> | [string, string][],
    headers: Record<string, string> = {},
  ): Promise<SeenPage> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    return this.#visit(url, { method: 'POST', body, headers: { ...type, ...headers } })
  }

  /** If a redirect leaves the origin, returns the redirect itself; `url` is its target. */
  async #visit(address: string, first: Sent): Promise<SeenPage> {
    let url = new URL(address)
    let init: Sent = first
    for (let count = 0; count < maxRedirects; count++) {
      const headers = {
        accept: 'text/html',
        ...this.#headers,
        ...init.headers,
        cookie: this.#cookieHeader(url.pathname),
      }
      const response = await fetch(url, { ...init, headers, redirect: 'manual' })
      this.#keepCookies(response, url)
      const location = response.headers.get('location')
      if (location === null) return seen(url.href, response, await response.text())
      await response.text()
      const next = new URL(location, url)
      if (next.origin !== url.origin) return seen(next.href, response, '')
      url = next
      init = { method: 'GET' }
    }
    throw new Error(`too many redirects from ${address}`)
  }

  #cookieHeader(path: string): string {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ')
  }

  #keepCookies(response: Response, url: URL): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=', 2)
      const path = attributes.find((one) => one.startsWith('path='))?.slice(5) ?? url.pathname
      const expires = attributes.find((one) => one.startsWith('expires='))?.slice(8)
      const isGone = expires !== undefined && Date.parse(expires) < Date.now()
      if (isGone) this.#cookies.delete(`${name} ${path}`)
      else this.#cookies.set(`${name} ${path}`, { value, path })
    }
  }
}

function seen(url: string, response: Response, text: string): SeenPage {
  const forms = [...text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inside = '']) => ({ action, hidden: hiddenFields(inside) }),
  )
  const title = /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? ''
  return { url, status: response.status, headers: response.headers, text, title, forms }
}

function hiddenFields(inside: string): Record<string, string> {
  const inputs = inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
}
