/** `bedrock-runtime.eu-west-1.amazonaws.com`, and the same for endpoints in a private network. */
const host = /(?:^|\.)([a-z]{2}(?:-[a-z]+)+-\d)(?:\.vpce)?\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/

/** The region in an AWS address; undefined if it contains none. */
export function regionIn(address: string): string | undefined {
  return host.exec(URL.parse(address)?.hostname ?? '')?.[1]
}
