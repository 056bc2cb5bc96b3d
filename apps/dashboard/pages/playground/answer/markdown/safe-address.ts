const protocols = ['https:', 'http:', 'mailto:']

/** The targets that a model's link may have: other sites and email, not this site, and not a script. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return protocols.includes(url.protocol) ? url.href : undefined
}
