import { ApiError } from '../http/errors.ts';

export function expiredSandbox(name: string, expiredAt: Date): ApiError {
  return new ApiError(
    'notFound',
    `The sandbox ${name} expired at ${expiredAt.toISOString()} and was dropped: create it again. ` +
      '`servery sandbox create --ttl 3d` makes one that exists longer.',
    {
      words: {
        title: `The sandbox “${name}” has expired`,
        text: `It was dropped at the end of its time, ${expiredAt.toUTCString()}.`,
      },
    },
  );
}
