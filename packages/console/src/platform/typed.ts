import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from './address.ts';
import { after } from './present.ts';

const TYPING_MS = 300;

/**
 * A parameter of the address that somebody types: it gets there after a moment, or leaves it if it
 * does not fit. What else changes the address replaces what was typed.
 */
export function useTyped(
  name: string,
  fits: (text: string) => boolean = () => true,
): [typed: string, type: (text: string) => void] {
  const { query, change } = useAddress();
  const there = query[name] ?? '';
  const [typed, setTyped] = useState(there);
  const known = useRef(there);
  const forget = useRef(() => {});
  useEffect(() => () => forget.current(), []);
  useEffect(() => {
    if (there === known.current) return;
    known.current = there;
    forget.current();
    setTyped(there);
  }, [there]);
  const type = (text: string) => {
    setTyped(text);
    forget.current();
    const value = fits(text.trim()) ? text.trim() : '';
    forget.current = after(TYPING_MS, () => {
      known.current = value;
      change({ [name]: value });
    });
  };
  return [typed, type];
}
