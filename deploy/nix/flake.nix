# The program for Nix, from the sources of a clone: nix run './notakto?dir=deploy/nix' -- --listen :2222
{
  description = "Server on which people play Notakto by SSH";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }: {
    packages = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] (system:
      let pkgs = nixpkgs.legacyPackages.${system};
      in {
        default = pkgs.buildGoModule {
          pname = "notakto";
          version = self.shortRev or "dirty";
          src = ../..;
          # .ci/deploy compares this with go.mod.
          vendorHash = "sha256-av38anjNeGdcwN3SlabXwSy2heaUXalJA/TzbLOdoFs=";
          subPackages = [ "cmd/notakto" ];
          env.CGO_ENABLED = 0;
          ldflags = [ "-s" "-w" "-X main.revision=${self.rev or ""}" ];
          doCheck = false; # the tests start servers
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/notakto man >notakto.1
            installManPage notakto.1
            for shell in bash zsh fish; do
              $out/bin/notakto completion $shell >notakto.$shell
              installShellCompletion notakto.$shell
            done
          '';
          meta = {
            description = "Server on which people play Notakto by SSH";
            license = pkgs.lib.licenses.mit;
            mainProgram = "notakto";
          };
        };
      });
  };
}
