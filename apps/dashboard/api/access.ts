/** How the API's client comes by the user's token. */
export interface Access {
  /** Undefined: there is none that holds. */
  token(): Promise<string | undefined>
  /** Somebody is signed in. */
  hasUser: boolean
  /** A new one; undefined where the sign-in has ended. */
  renew(): Promise<string | undefined>
}

let access: Access = { hasUser: false, token: async () => undefined, renew: async () => undefined }

export function setAccess(given: Access): void {
  access = given
}

/** Whether what is asked is asked by somebody; else only what is open can be. */
export function hasUser(): boolean {
  return access.hasUser
}

/** `fetch` as the user. A token that no longer holds is renewed once. */
export async function fetchAsUser(request: Request): Promise<Response> {
  // There is nothing to renew: a renewal would begin the page anew, for ever.
  if (!access.hasUser) return fetch(request)
  const again = request.clone()
  return sendAsUser(request, () => again)
}

/** The same, of a request that is large: it is made a second time only where that is needed. */
export async function askAsUser(make: () => Request): Promise<Response> {
  return sendAsUser(make(), make)
}

async function sendAsUser(request: Request, again: () => Request): Promise<Response> {
  const response = await send(request, (await access.token()) ?? (await access.renew()))
  if (response.status !== 401) return response
  const renewed = await access.renew()
  return renewed === undefined ? response : send(again(), renewed)
}

function send(request: Request, token: string | undefined): Promise<Response> {
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
  return fetch(request)
}
