/** Used if the configuration names none. */
export const defaultIdentityProvider = 'oidc'
export const defaultTier = 'free'
