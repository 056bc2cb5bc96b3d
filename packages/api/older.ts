/**
 * A response of this version, where fields that earlier gateways leave out are optional: a client may be
 * newer than the gateway it talks to.
 */
export type OrOlder<Answer, Newer extends keyof Answer> = Omit<Answer, Newer> & Partial<Pick<Answer, Newer>>
