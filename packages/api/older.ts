/**
 * An answer as this version of the API has it, but for fields that a gateway before this version leaves out:
 * a command line is older or newer than the gateways that it asks.
 */
export type OrOlder<Answer, Newer extends keyof Answer> = Omit<Answer, Newer> & Partial<Pick<Answer, Newer>>
