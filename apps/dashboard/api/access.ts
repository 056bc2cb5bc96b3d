/** How the API's client comes by the user's token. */
export interface Access {
  /** Undefined: there is none that holds. */
  token(): Promise<string | undefined>
  /** Somebody is signed in. */
  hasUser: boolean
  /** A new one; undefined where the sign-in has ended. */
  renew(): Promise<string | undefined>
  /** The organization that this tab acts for; undefined: the person's own account. */
  organization(): string | undefined
  /** There is no such organization any more. */
  loseOrganization(): void
}

let access: Access = {
  hasUser: false,
  token: async () => undefined,
  renew: async () => undefined,
  organization: () => undefined,
  loseOrganization: () => undefined,
}

export function setAccess(given: Access): void {
  access = given
}

/** Whether what is asked is asked by somebody; else only what is open can be. */
export function hasUser(): boolean {
  return access.hasUser
}

/** What a token tells has changed. */
export async function renewToken(): Promise<void> {
  await access.renew()
}

/** `fetch` as the user, for whom this tab acts. A token that no longer holds is renewed once. */
export function fetchAsUser(request: Request): Promise<Response> {
  return fetchFor(request, access.organization())
}

/** The same for the person's own account, whoever the tab acts for. */
export function fetchAsPerson(request: Request): Promise<Response> {
  return fetchFor(request, undefined)
}

async function fetchFor(request: Request, organization: string | undefined): Promise<Response> {
  // There is nothing to renew: a renewal would begin the page anew, for ever.
  if (!access.hasUser) return fetch(request)
  const again = request.clone()
  return sendAsUser(request, () => again, organization)
}

/** As `fetchAsUser`, of a request that is large: it is made a second time only where that is needed. */
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

/** What was not found may be the organization itself; requests that find nothing together ask once. */
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
