/** How the API client gets the user's access token. */
export interface Access {
  /** Undefined if there is no valid token. */
  token(): Promise<string | undefined>
  /** True if somebody is signed in. */
  hasUser: boolean
  /** Gets a new token; undefined if the sign-in has ended. */
  renew(): Promise<string | undefined>
  /** The organization that this tab acts for; undefined: the person's own account. */
  organization(): string | undefined
  /** Called when the organization no longer exists. */
  loseOrganization(): void
}

let access: Access = {
  hasUser: false,
  token: async () => undefined,
  renew: async () => undefined,
  organization: () => undefined,
  loseOrganization: () => undefined,
}

export function setAccess(newAccess: Access): void {
  access = newAccess
}

/** Whether somebody is signed in. Without a user, only public paths can be requested. */
export function hasUser(): boolean {
  return access.hasUser
}

/** Call it after a change of what the token contains. */
export async function renewToken(): Promise<void> {
  await access.renew()
}

/** `fetch` as the user, for the account that this tab acts for. An expired token is renewed once. */
export function fetchAsUser(request: Request): Promise<Response> {
  return fetchFor(request, access.organization())
}

/** The same for the person's own account, whichever account the tab acts for. */
export function fetchAsPerson(request: Request): Promise<Response> {
  return fetchFor(request, undefined)
}

async function fetchFor(request: Request, organization: string | undefined): Promise<Response> {
  // Without a user there is no token to renew. Trying to would reload the page again and again.
  if (!access.hasUser) return fetch(request)
  const again = request.clone()
  return sendAsUser(request, () => again, organization)
}

/** Like `fetchAsUser`, for a large request: it is built a second time only if it must be sent again. */
export async function askAsUser(make: () => Request): Promise<Response> {
  return sendAsUser(make(), make, access.organization())
}

async function sendAsUser(
  request: Request,
  again: () => Request,
  organization: string | undefined,
): Promise<Response> {
  const response = await send(request, (await access.token()) ?? (await access.renew()), organization)
  if (response.status === 404 && organization !== undefined) await findOrganization(organization)
  if (response.status !== 401) return response
  const renewed = await access.renew()
  return renewed === undefined ? response : send(again(), renewed, organization)
}

function send(
  request: Request,
  token: string | undefined,
  organization: string | undefined,
): Promise<Response> {
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
  if (organization !== undefined) request.headers.set('x-turnpike-org', organization)
  return fetch(request)
}

let finding: Promise<void> | undefined

/** A 404 may mean that the organization itself is gone. Concurrent 404s share one check. */
function findOrganization(organization: string): Promise<void> {
  return (finding ??= askForOrganization(organization).finally(() => {
    finding = undefined
  }))
}

async function askForOrganization(organization: string): Promise<void> {
  const response = await send(new Request('/api/v1/organizations'), await access.token(), undefined)
  if (!response.ok) return
  const { data } = (await response.json()) as { data: { id: string }[] }
  if (!data.some(({ id }) => id === organization)) access.loseOrganization()
}
