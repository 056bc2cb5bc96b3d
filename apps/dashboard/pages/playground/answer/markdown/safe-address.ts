const protocols = ['https:', 'http:', 'mailto:']

/** Where a link of a model's may lead: to other sites and to mail, not within this one, nor to a script. */
export function safeAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return protocols.includes(url.protocol) ? url.href : undefined
}
