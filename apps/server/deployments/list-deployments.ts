import { collectAnswer, type UpstreamClient, type UpstreamRequest } from '@turnpike/gateway'

/** A model that is deployed in an Azure resource under a name that its operator chose. */
export interface Deployment {
  name: string
  /** The maker's name for the model, such as `gpt-4o`. */
  model: string
  /** Such as `2024-08-06`; empty if Azure reports none. */
  version: string
  /** How it is billed, such as `GlobalStandard`. */
  sku: string
}

/** The list could not be loaded. */
export class DeploymentsError extends Error {
  override readonly name = 'DeploymentsError'
  /** What the operator can do about it; empty if nothing is known. */
  readonly hint: string

  constructor(message: string, hint = '') {
    super(message)
    this.hint = hint
  }
}

const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 20_000 }
/** A page has some hundred deployments of about a kilobyte each. */
const maxPageBytes = 4 * 1024 * 1024
const mostPages = 20
/** The names that Azure allows. A name becomes part of addresses and of models' names. */
const deploymentName = /^[A-Za-z0-9][\w.-]{0,63}$/

/**
 * Lists the deployments of a resource that can be called. It follows no redirects, and every page must be
 * on the same host, because the headers contain a token.
 * https://learn.microsoft.com/en-us/rest/api/aiservices/accountmanagement/deployments/list
 * @param url address of the first page
 * @throws {DeploymentsError} the list could not be loaded
 */
export async function listDeployments(
  url: string,
  token: string,
  client: UpstreamClient,
): Promise<Deployment[]> {
  const found: Deployment[] = []
  const { origin } = new URL(url)
  let next: string | undefined = url
  for (let number = 0; next !== undefined; number++) {
    if (number === mostPages) throw new DeploymentsError(`the list has more than ${mostPages} pages`)
    const page = await pageAt(next, token, client)
    found.push(...page.value.flatMap(deploymentOf))
    next = page.next
    if (next !== undefined && URL.parse(next)?.origin !== origin)
      throw new DeploymentsError('the next page of the list is at another host')
  }
  return found
}

interface Page {
  value: unknown[]
  next: string | undefined
}

async function pageAt(url: string, token: string, client: UpstreamClient): Promise<Page> {
  const { origin, pathname, search } = new URL(url)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    authorization: `Bearer ${token}`,
  }
  const request: UpstreamRequest = {
    method: 'GET',
    origin,
    path: pathname + search,
    headers,
    body: null,
    timeouts,
  }
  const { status, body } = await collectAnswer(client, request, maxPageBytes)
  if (status !== 200) throw new DeploymentsError(`it answered ${status}`, hints[status])
  const { value, nextLink } = objectIn(body)
  if (!Array.isArray(value)) throw new DeploymentsError('what was answered is no list', hints[200])
  return { value, next: typeof nextLink === 'string' && nextLink !== '' ? nextLink : undefined }
}

const hints: Readonly<Record<number, string>> = {
  200: 'look at deployments.management_url, and at proxies',
  401: 'look at the identity (turnpike-gateway doctor), and at deployments.management_url',
  403: 'give the identity the role "Reader" on the resource, or take out deployments',
  404: 'look at deployments.subscription and deployments.resource_group, and at the name of the resource',
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw new DeploymentsError('what was answered is no list', hints[200])
}

/** A deployment that is being created, or has failed, cannot be called. */
function deploymentOf(value: unknown): Deployment[] {
  if (!isObject(value)) return []
  const { name, sku, properties } = value
  if (!isObject(properties)) return []
  const { model, provisioningState } = properties
  if (provisioningState !== 'Succeeded' || !isObject(model)) return []
  if (typeof name !== 'string' || !deploymentName.test(name)) return []
  const { name: named, version } = model
  if (typeof named !== 'string') return []
  const billing = isObject(sku) ? sku['name'] : undefined
  return [{ name, model: named, version: textOf(version), sku: textOf(billing) }]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
