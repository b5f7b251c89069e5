package journal

import "testing"

// Each user of a machine reaches its loopback, and could use up the files that the process may open.
func TestClusterHasNoPortForClients(t *testing.T) {
	t.Parallel()
	v, err := newVisitor(t.Context(), Config{}.withDefaults(), Cluster{Name: "test", Listen: "127.0.0.1:-1", Secret: "between us"})
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	if port := v.housing.running().Addr(); port != nil {
		t.Errorf("listens for clients at %v", port)
	}
	if v.housing.running().ClusterAddr() == nil {
		t.Error("does not listen for the other servers")
	}
}
