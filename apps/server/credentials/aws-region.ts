/** `bedrock-runtime.eu-west-1.amazonaws.com`, and the same of endpoints within a network of one's own. */
const host = /(?:^|\.)([a-z]{2}(?:-[a-z]+)+-\d)(?:\.vpce)?\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/

/** The region that an address of AWS's names; undefined: it names none. */
export function regionIn(address: string): string | undefined {
  return host.exec(URL.parse(address)?.hostname ?? '')?.[1]
}
