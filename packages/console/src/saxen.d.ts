/** What the console uses of a package without types. */
declare module 'saxen' {
  type Decode = (text: string) => string;
  /** False if the attributes can't be read. */
  type AttributesOf = () => Readonly<Record<string, string>> | false;

  export class Parser {
    on(
      hook: 'openTag',
      run: (name: string, attributesOf: AttributesOf, decode: Decode) => void,
    ): void;
    on(hook: 'closeTag', run: (name: string) => void): void;
    on(hook: 'text', run: (text: string, decode: Decode) => void): void;
    on(hook: 'cdata', run: (text: string) => void): void;
    /** Throws what is wrong with the text. */
    parse(xml: string): void;
  }
}
