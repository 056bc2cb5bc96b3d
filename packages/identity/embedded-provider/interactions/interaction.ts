import type { Provider } from 'oidc-provider'

/** A sign-in that waits for a person, as `oidc-provider` stores it. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
